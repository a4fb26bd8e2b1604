/** The default prompt of the masking model; variables `context_str` and `query_str`. */
export const defaultPiiStrTmpl = `Below is a text that may contain personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.
Write the text again, word for word, with each such item replaced by a tag in square brackets: upper case, numbered, the same tag for the same item, as in [NAME1].
Then write a line with "Output Mapping:" and, after it, one JSON object that maps each tag, without its brackets, to the original. If there is nothing to mask, the object is empty. Write nothing else.

Example
Text: Hello, I am Mia Berg and my card number is 4000 1234 5678 9010.
Answer:
Hello, I am [NAME1] and my card number is [CARD_NUMBER1].
Output Mapping:
{{"NAME1": "Mia Berg", "CARD_NUMBER1": "4000 1234 5678 9010"}}

Task: {query_str}
Text: {context_str}
Answer:
`
