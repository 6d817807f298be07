// What stays in this browser: choices and the last problems. Works, forgetfully, where storage is switched off.

const memory = new Map();

export function keep(key, value) {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(`sau.${key}`, text);
  } catch {
    // full or switched off: the memory of this visit has it
  }
}

export function kept(key, otherwise) {
  let text = memory.get(key);
  try {
    text = localStorage.getItem(`sau.${key}`) ?? text;
  } catch {
    // as above
  }
  try {
    return text === undefined ? otherwise : JSON.parse(text);
  } catch {
    return otherwise; // written by something else
  }
}

export function forget(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(`sau.${key}`);
  } catch {
    // as above
  }
}

// A word that the script of the first paint reads too, which is why it is not JSON.
export function keepWord(key, word) {
  try {
    localStorage.setItem(`sau.${key}`, word);
  } catch {
    // the choice holds for this visit
  }
}
