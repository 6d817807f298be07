// Before the first paint: the theme that was chosen here last time, and the language, so that nothing flashes.
(() => {
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage may be switched off
    }
  };
  const theme = kept("sau.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  const language = kept("sau.language") ?? (/^zh/i.test(navigator.language) ? "zh" : "en");
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
})();
