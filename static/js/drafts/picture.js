/** A picture of a question is sent as soon as it is chosen. */

import { locate } from "../pictures/figure.js";
import { firstText } from "./cards.js";
import { changed, editor, questionAt } from "./desk.js";
import { post } from "./request.js";

/** @param {{ value: string }} token */
export function takePictures(token) {
  editor.addEventListener("change", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const box = /** @type {HTMLElement | null} */ (input.closest("[data-picture]"));
    const file = input.type === "file" && input.files?.[0];
    if (box && file) void send(box, input, file, token);
  });
}

/** @param {HTMLElement} box @param {HTMLInputElement} input @param {File} file @param {{ value: string }} token */
async function send(box, input, file, token) {
  const uid = input.closest(".slip")?.id ?? "";
  const said = /** @type {HTMLElement} */ (box.querySelector(".error"));
  said.textContent = said.dataset["busy"] ?? "";
  const body = new FormData();
  body.set("file", file);
  const { status, fault, sha256, type, width, height } = await post(editor.dataset["pictures"] ?? "", body, token);
  said.textContent = status === 200 ? "" : fault ?? said.dataset["unreachable"] ?? "";
  input.value = ""; // the same file may be chosen once more
  const question = questionAt(uid);
  if (status !== 200 || !question) return;
  question["picture"] = { ...question["picture"], sha256, type, width, height };
  changed(uid, true);
}

/** @param {string} uid of a question whose picture is taken away */
export function removePicture(uid) {
  delete questionAt(uid)?.["picture"];
  changed(uid, true);
  /** @type {HTMLElement | null} */ (editor.querySelector("[data-picture] input[type=file]"))?.focus();
}

/** Where the respondents' view of a question finds its picture. @param {PictureOf | undefined} picture */
export function knowPicture(picture) {
  if (picture) locate(picture.sha256, `${editor.dataset["pictures"]}/${picture.sha256}`);
}

/** @param {HTMLElement} box @param {PictureOf | undefined} picture @param {string} folder */
export function drawPicture(box, picture, folder) {
  const image = /** @type {HTMLImageElement} */ (box.querySelector("img"));
  if (picture?.sha256) {
    const address = `${folder}/${picture.sha256}`;
    if (image.getAttribute("src") !== address) image.src = address;
    Object.assign(image, { width: picture.width, height: picture.height, alt: firstText(picture.alt).text });
  } else image.removeAttribute("src");
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-of-picture]"))) shown.hidden = !picture?.sha256;
}
