/**
 * Charts as PNG, drawn in this browser from the SVG at its own address: a picture of this server, like any other.
 */
import { element } from "../page/page.js";

/** Pixels of the PNG for each of the SVG's. */
const SCALE = 2;

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-chart]"))) {
  const { chart = "", name = "" } = button.dataset;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      save(await drawn(chart), name);
    } catch {
      location.assign(chart); // there it says what is wrong, or asks who it is
    }
  });
}

/**
 * @param {string} address of an SVG
 * @returns {Promise<Blob>}
 */
async function drawn(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/**
 * @param {Blob} blob
 * @param {string} name of the file
 */
function save(blob, name) {
  const href = URL.createObjectURL(blob);
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href)); // the click has begun to read it
}
