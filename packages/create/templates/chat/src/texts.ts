/** What the page says about your assistant. */
export const texts = {
  name: 'Orchard',
  greeting: 'What can I do for you?',
  about: 'I know the prices of the orchard, and place orders after you have approved them.',
  examples: ['What do pears cost this week?', 'Compare apples, plums and cherries.', 'Order 3 kg of pears for Ann.'],
  placeholder: 'Ask about prices, or order',
  note: 'Answers may be wrong. Orders are placed only after you approve them.',
}
