/** A button that sends no form. */
export const Button = (props: React.ComponentProps<'button'>) => <button type="button" {...props} />
