/** The words of the first page after signing in. */
export const home = {
  title: "Your applications",
  none: "You may see no application yet. Ask the operator of the service for a role.",
  noneAtAll: "There is no application yet. Create one on the machine of the service:",
};
