/** The name of the document of the page, for places of test sets. */
export const SOURCE = 'page.md'
