import assert from "node:assert/strict";
import test from "node:test";

import { isAmbiguous, readDecimal } from "../../static/js/kinds/decimal.js";

test("a comma and a point are the same", () => {
  for (const [typed, value] of /** @type {[string, number][]} */ ([
    ["12.5", 12.5], ["12,5", 12.5], ["12", 12], ["0,50", 0.5], [",5", 0.5], ["12.", 12], ["+3", 3], ["-0,3", -0.3], ["\u22120.3", -0.3],
    ["  7 ", 7], ["１２．５", 12.5], ["１２，５", 12.5],
  ])) assert.equal(readDecimal(typed), value, typed);
});

test("what is no number is none, and nothing is left out of it to make it one", () => {
  for (const typed of ["", " ", "12,5,1", "1,234.5", "1.234,5", "1 000", "1'000", "12,5 kg", "1e2", "0x10", "--1", "-", ".", ",", "Infinity", "٣", "5²", "①", "½"]) {
    assert.ok(Number.isNaN(readDecimal(typed)), typed);
  }
});

test("a mark before three digits may be one between thousands, where no thousandths are asked for", () => {
  for (const typed of ["1,000", "12.500", "-125,000", "１，０００"]) assert.equal(isAmbiguous(typed, 2), true, typed);
  for (const typed of ["0,500", "1,00", "1,0000", "1000,000", "1000", "12,5"]) assert.equal(isAmbiguous(typed, 2), false, typed);
  assert.equal(isAmbiguous("1,000", 3), false);
});
