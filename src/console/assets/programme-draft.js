// Enter in the form of a part puts that part into the JSON. Without it Enter shows the JSON in the forms.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".editor-forms input")) return;
  event.preventDefault();
  event.target.closest(".editor-forms > details").querySelector(":scope > button").click();
});
