/** The words of signing in. */
export const signIn = {
  title: "Sign in",
  email: "E-mail address",
  password: "Password",
  submit: "Sign in",
  wrong: "The e-mail address or the password is wrong, or the password is locked for a while.",
  passkey: "Sign in with a passkey",
  passkeyFailed: "The passkey did not work. Try again, or use the password.",
  provider: (name: string) => `Sign in with ${name}`,
  providerFailed: {
    title: "You are not signed in",
    text: "The provider did not confirm you, or nobody with your e-mail address was added to the console.",
  },
  none: "No account yet? The operator of the service makes one on its machine.",
  link: {
    title: (name: string) => `Welcome, ${name}`,
    text: "Make a passkey, or choose a password. This link works once.",
    passkey: "Make a passkey",
    password: "Or a password",
    newPassword: "New password",
    repeat: "New password again",
    hint: (min: number) => `At least ${min} characters. A few words in a row are good.`,
    submit: "Set the password and sign in",
    errors: {
      short: (min: number) => `Use at least ${min} characters.`,
      long: (max: number) => `Use at most ${max} characters.`,
      different: "The two passwords are not the same.",
    },
    gone: {
      title: "This link does not work any more",
      text: "It was used, or is older than a day. Ask for a new one.",
    },
  },
};
