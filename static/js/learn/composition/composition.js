/** Adding up: what several reports of one person give away together. */

import "./again.js";
import "./sums.js";
