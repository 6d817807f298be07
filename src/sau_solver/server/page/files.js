// Files of the reader: opened as text here, saved as downloads. The server reads the problems in them.

import { ServerError } from "./api.js";

const MOST_BYTES = 1_000_000; // the server takes a little more, with the JSON around it
const FORMATS = { csv: "csv", tsv: "csv", jsonl: "jsonl", ndjson: "jsonl", json: "jsonl" };

// {text, format} of a file: UTF-8, UTF-16 with its mark, or the encoding of Chinese spreadsheets.
export async function opened(file) {
  if (file.size > MOST_BYTES)
    throw new ServerError("large_file", { values: { size: megabytes(file.size), limit: megabytes(MOST_BYTES) } });
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { text: decoded(bytes), format: FORMATS[file.name.split(".").at(-1).toLowerCase()] ?? "auto" };
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0).replace(/\.0$/, "");

function decoded(bytes) {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encodings = mark === "255 254" ? ["utf-16le"] : mark === "254 255" ? ["utf-16be"] : ["utf-8"];
  if (!bytes.includes(0)) encodings.push("gb18030");
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // the next one
    }
  }
  return new TextDecoder().decode(bytes); // not a text: the server says so
}
