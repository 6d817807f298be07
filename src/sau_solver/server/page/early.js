// Sets theme and language before the first paint, so that nothing flickers.
(() => {
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage may be disabled
    }
  };
  const theme = kept("sau.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  const language = kept("sau.language") ?? (/^zh/i.test(navigator.language) ? "zh" : "en");
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
})();
