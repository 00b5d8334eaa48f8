/** Questions are dragged to another place: by a mouse anywhere on their line, by a finger at the handle. */

/** A press that goes no further than so many pixels is a click. */
const STILL = 6;
/** So near the edge of the window the page follows. */
const EDGE = 70;

/**
 * @param {HTMLElement} list whose children are rows; those of questions have a place
 * @param {(row: Element) => number} placeOf of a question, or -1
 * @param {(from: number, to: number) => void} drop
 */
export function addDragging(list, placeOf, drop) {
  /** @type {{ row: HTMLElement, from: number, y: number, id: number, isMoving: boolean, to: number } | null} */
  let drag = null;
  /** Whether the click that ends a drag is still to come. */
  let isSwallowing = false;

  list.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest("li"));
    const held = target.closest(".grip") ?? (event.pointerType === "mouse" && target.closest(".line, .link"));
    if (!row || !held || event.button !== 0 || placeOf(row) < 0) return;
    isSwallowing = false;
    drag = { row, from: placeOf(row), y: event.clientY, id: event.pointerId, isMoving: false, to: placeOf(row) };
  });

  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.isMoving) {
      if (Math.abs(event.clientY - drag.y) < STILL) return;
      drag.isMoving = true;
      list.setPointerCapture(drag.id);
      drag.row.classList.add("dragged");
    }
    event.preventDefault();
    follow(event.clientY);
  });

  addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { isMoving, from, to } = drag;
    stop();
    isSwallowing = isMoving;
    if (isMoving && to !== from) drop(from, to);
  });
  addEventListener("pointercancel", stop);
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !drag?.isMoving) return;
    stop();
    isSwallowing = true;
  });
  list.addEventListener("click", (event) => {
    if (!isSwallowing) return;
    isSwallowing = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });

  function stop() {
    drag?.row.classList.remove("dragged");
    mark(null, false);
    drag = null;
  }

  /** @param {number} y */
  function follow(y) {
    if (!drag) return;
    if (y < EDGE) scrollBy({ top: -EDGE / 4, behavior: "instant" });
    else if (y > innerHeight - EDGE) scrollBy({ top: EDGE / 4, behavior: "instant" });
    const rows = [...list.children].filter((row) => placeOf(row) >= 0);
    const middle = (/** @type {Element} */ row) => {
      const box = (row.querySelector(".line") ?? row).getBoundingClientRect();
      return box.top + box.height / 2;
    };
    const before = rows.findIndex((row) => y < middle(row));
    const gap = before < 0 ? rows.length : before; // the row stands in this gap, counted with itself
    drag.to = gap > drag.from ? gap - 1 : gap;
    mark(drag.to === drag.from ? null : rows[before < 0 ? rows.length - 1 : before] ?? null, before < 0);
  }

  /** @param {Element | null} row @param {boolean} isBehind */
  function mark(row, isBehind) {
    for (const marked of list.querySelectorAll(".drop-before, .drop-behind")) marked.classList.remove("drop-before", "drop-behind");
    row?.classList.add(isBehind ? "drop-behind" : "drop-before");
  }
}
