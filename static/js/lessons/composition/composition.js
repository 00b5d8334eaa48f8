/** Adding up: what several reports of one person give away together. */

import "./asked_again.js";
import "./sums.js";
