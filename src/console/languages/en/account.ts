/** The words of a person's own account. */
export const account = {
  title: "Your account",
  passkeys: {
    title: "Passkeys",
    hint: "Sign in with your phone, your computer or a security key, without a password.",
    none: "You have no passkey yet.",
    added: (at: string) => `Added ${at}`,
    used: (at: string) => `last used ${at}`,
    neverUsed: "never used",
    add: "Add a passkey",
    remove: "Remove",
    removeOf: (at: string) => `Remove the passkey added ${at}`,
    unavailable: "This browser, or the address of this console, cannot use passkeys: they need a host name and https.",
    failed: "The passkey was not added. Try again.",
  },
  password: {
    title: "Password",
    current: "Current password",
    newPassword: "New password",
    repeat: "New password again",
    submit: "Change the password",
    wrong: "The current password is wrong, or locked for a while.",
    noneYet: "You have no password: ask the operator for a link to set one.",
  },
  sessions: {
    title: "Sessions",
    hint: "Signs you out on every device, also here.",
    submit: "Sign out everywhere",
  },
  done: {
    passkeyAdded: "The passkey is added.",
    passkeyRemoved: "The passkey is removed.",
    passwordChanged: "The password is changed. Other devices are signed out.",
  },
};
