// Loads the page of a preview again until it has its result. Without it a link does.
const link = document.querySelector("[data-reload]");
if (link) setTimeout(() => location.replace(link.href), 1_500);
