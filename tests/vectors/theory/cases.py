"""How a case is written: what a function of the page is given, and what must come out."""


def case(arguments, result, **tolerance):
    """A call and its result, to a relative 1e-12 unless `relative` or `absolute` says otherwise."""
    return {"arguments": list(arguments), "result": result, **tolerance}


def refused(arguments, parameter):
    """A call that must throw a RangeError whose message starts with the name of the parameter."""
    return {"arguments": list(arguments), "refused": parameter}
