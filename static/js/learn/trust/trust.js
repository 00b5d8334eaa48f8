/** A lesson that is being written. */

import "../controls.js";
