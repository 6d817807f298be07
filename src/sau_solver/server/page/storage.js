// Choices and recent problems, stored in this browser. Without localStorage they last as long as the page is open.

const memory = new Map();

export function keep(key, value) {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(`sau.${key}`, text);
  } catch {
    // full or disabled: `memory` has it
  }
}

export function kept(key, otherwise) {
  let text = memory.get(key);
  try {
    text = localStorage.getItem(`sau.${key}`) ?? text;
  } catch {
    // disabled
  }
  try {
    return text === undefined ? otherwise : JSON.parse(text);
  } catch {
    return otherwise; // not JSON, so not written by this page
  }
}

export function forget(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(`sau.${key}`);
  } catch {
    // disabled
  }
}

// A plain word, not JSON, because early.js also reads it.
export function keepWord(key, word) {
  try {
    localStorage.setItem(`sau.${key}`, word);
  } catch {
    // disabled: the choice lasts as long as the page is open
  }
}
