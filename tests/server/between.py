"""A storage between whose transactions something happens."""


class Between:
    """Calls a function before each transaction but the first."""

    def __init__(self, storage, happens):
        self.storage, self.happens, self.begun = storage, happens, False

    def read(self, function, *arguments):
        return self.run(self.storage.read, function, *arguments)

    def write(self, function, *arguments):
        return self.run(self.storage.write, function, *arguments)

    def run(self, transaction, function, *arguments):
        if self.begun:
            self.happens()
        self.begun = True
        return transaction(function, *arguments)
