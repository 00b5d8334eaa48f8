/** How many times the people each channel needs, beside the one that was made for what is wanted. */

import { dataTable } from "../data_table.js";
import { part } from "../places.js";
import { fixed, say } from "../words.js";
import { PURPOSES, TIMES, WANTS } from "./channels.js";

const rows = PURPOSES.map((purpose) => [say(`made.${purpose}`), ...TIMES[purpose].map((times) => fixed(times, 2))]);
part("purposes").append(dataTable(say("purposes.caption"), [say("made.for"), ...WANTS.map((want) => say(`want.${want}`))], rows));
