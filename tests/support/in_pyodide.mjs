// Runs a Python file in Pyodide under Node, with the course's wheel, and with the course's folder at /course.
// node in_pyodide.mjs <folder of Pyodide> <wheel> <folder of the course> <Python file> <names of packages ...>
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, wheel, course, program, ...packages] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const env = { NTH: process.env.NTH ?? "1" };
const python = await loadPyodide({ indexURL: `${pyodide}/`, env });
await python.loadPackage(packages, { messageCallback() {} });
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.mountNodeFS("/course", course);
try {
  await python.runPythonAsync(readFileSync(program, "utf8"));
} catch (error) {
  console.log(error.message); // a stack trace would show the whole of Pyodide
  process.exitCode = 1;
}
