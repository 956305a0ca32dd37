/** The page that creates a shop. */
export const newShop = {
  title: 'Create a shop',
  intro: 'Everything can be changed later.',
  email: 'Email address of the shop',
  emailHint: 'Florin sends messages about payments there. Buyers do not see it.',
  taken: 'Another shop of this server already uses this email address. Enter a different one.',
  submit: 'Create the shop',
}
