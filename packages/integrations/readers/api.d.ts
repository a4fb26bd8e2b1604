// The public types of @x/readers, written by `npm run api`.

// ======== @x/readers

interface HtmlOptions {
    content?: 'main' | 'body' | undefined;
    url?: string | undefined;
}

interface ReadHtmlOptions extends HtmlOptions {
    id?: string | undefined;
    metadata?: Record<string, unknown> | undefined;
}

declare function htmlToMarkdown(html: string, options?: HtmlOptions): string;

declare function readHtml(html: string, options?: ReadHtmlOptions): Document;

// ======== @x/readers/docling

interface DoclingOptions {
    id?: string | undefined;
    metadata?: Record<string, unknown> | undefined;
}

declare function doclingToMarkdown(data: unknown): string;

declare function readDocling(data: unknown, options?: DoclingOptions): Document;
