"use strict";
// Loads a page again while what it shows is still to come.
setTimeout(() => location.reload(), 2000);
