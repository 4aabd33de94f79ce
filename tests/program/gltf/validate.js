// Prints what the Khronos validator says of a file. Arguments: the validator's folder, the file.
const [folder, file] = process.argv.slice(2);
const bytes = new Uint8Array(require("fs").readFileSync(file));
require(folder)
  .validateBytes(bytes)
  .then((report) => console.log(JSON.stringify(report)));
