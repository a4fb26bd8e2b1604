/** What the page says about your assistant. */
export const texts = {
  name: 'Payments',
  greeting: 'Kill me while I wait',
  about: 'Ask for a payment. While I wait for your approval, stop the server, start it again, and approve: I continue.',
  examples: ['Pay Ann 20 EUR for order 7.', 'Pay Bob 35 EUR for the pears.', 'What did you pay today?'],
  placeholder: 'Ask for a payment',
  note: 'Every step is in chat.db before the next one starts. Each payment has a key, so that it is made once.',
}
