/** The pages to sign in, and to choose a password. */
export const signIn = {
  title: 'Sign in',
  email: 'Email address',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'The email address or the password is wrong.',
  forgotten:
    'No password yet, or forgotten? Ask the owner of your shop or the operator of this server for a link.',
  needsHttps:
    'You can sign in only over HTTPS, or on this machine at localhost. Put a web server with a certificate ' +
    'in front of Florin and set FLORIN_DASHBOARD_URL.',
  firstTitle: 'Welcome to Florin',
  firstHint: 'Create the first user of this server. This user sees all shops.',
  passwordTitle: 'Choose your password',
  passwordFor: (email: string) => `For ${email}`,
  passwordHint: 'At least 10 characters. A few words in a row are easy to remember.',
  wrongEmail: 'Enter a valid email address.',
  wrongPassword:
    'Choose 10 to 200 characters that are not easy to guess and do not contain the email address.',
  passwordSubmit: 'Save and sign in',
  proofTitle: 'Enter your password again',
  proofHint: (email: string) =>
    `You are signed in as ${email}. This change needs your password, because you signed in a while ago.`,
  proofWrong: 'The password is wrong.',
  proofSubmit: 'Continue',
  enterTitle: 'Open the demo',
  enterHint: (email: string) => `You will be signed in as ${email}.`,
  enterSubmit: 'Open the dashboard',
}
