/** A picture of a question is sent as soon as it is chosen. Without this script it is sent with the form, by its button. */

import { locate } from "../pictures/figure.js";

/** @typedef {{ sha256: string, type: string, width: number, height: number, address: string }} Stored */

const NAMED = /** @type {const} */ (["sha256", "type", "width", "height"]);

/** @param {HTMLFormElement} form */
export function takePictures(form) {
  form.dataset["scripted"] = ""; // a picture is sent as soon as it is chosen: no button need send it
  form.addEventListener("change", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const box = /** @type {HTMLElement | null} */ (input.closest("[data-picture]"));
    const file = input.type === "file" && input.files?.[0];
    if (box && file) send(form, box, input, file);
  });
  form.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-part=remove]");
    const box = /** @type {HTMLElement | null | undefined} */ (button?.closest("[data-picture]"));
    if (!box) return;
    event.preventDefault();
    put(box, null);
    /** @type {HTMLElement | null} */ (box.querySelector("input[type=file]"))?.focus();
  });
}

/** Where the respondents' view of a question finds its picture. @param {HTMLFormElement} form @param {PictureOf | undefined} picture */
export function knowPicture(form, picture) {
  if (picture) locate(picture.sha256, `${form.dataset["pictures"]}/${picture.sha256}`);
}

/** @param {HTMLFormElement} form @param {HTMLElement} box @param {HTMLInputElement} input @param {File} file */
function send(form, box, input, file) {
  const said = /** @type {HTMLElement} */ (box.querySelector(".error"));
  said.textContent = said.dataset["busy"] ?? "";
  const body = new FormData();
  body.set("file", file);
  const request = new XMLHttpRequest();
  request.open("POST", form.dataset["pictures"] ?? "");
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRFToken", form.querySelector("input[name=csrf_token]")?.getAttribute("value") ?? "");
  request.responseType = "json";
  request.addEventListener("loadend", () => {
    if (!box.isConnected) return;
    const answer = request.response;
    if (request.status === 200 && answer?.sha256) {
      said.textContent = "";
      put(box, answer);
    } else said.textContent = answer?.fault ?? said.dataset["unreachable"] ?? "";
    input.value = ""; // it has been sent: the form need not carry it once more
  });
  request.send(body);
}

/** @param {HTMLElement} box @param {Stored | null} picture null takes it away */
function put(box, picture) {
  drawPicture(box, picture);
  // Whatever follows what is typed follows this too.
  part(box, "sha256").dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLElement} box @param {Stored | null} picture */
export function drawPicture(box, picture) {
  for (const name of NAMED) part(box, name).setAttribute("value", String(picture?.[name] ?? ""));
  const figure = /** @type {HTMLElement} */ (box.querySelector("figure"));
  const image = /** @type {HTMLImageElement} */ (figure.querySelector("img"));
  if (picture) {
    image.src = picture.address;
    image.width = picture.width;
    image.height = picture.height;
  } else image.removeAttribute("src");
  for (const each of [figure, part(box, "alt"), part(box, "remove")]) each.hidden = !picture;
}

/** @param {HTMLElement} box @param {string} name @returns {HTMLElement} */
const part = (box, name) => /** @type {HTMLElement} */ (box.querySelector(`[data-part="${name}"]`));
