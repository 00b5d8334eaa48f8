/**
 * What came of a form is read first: a notice that is there when a page arrives is said by no screen reader by itself.
 * The editor says what happens while it happens.
 */
const told = document.querySelector("body:not(.editing) main :is(.notice:is([role=alert], [role=status]), [aria-invalid=true])");
if (told instanceof HTMLElement) {
  if (told.tabIndex < 0) told.tabIndex = -1;
  told.focus();
}

export {};
