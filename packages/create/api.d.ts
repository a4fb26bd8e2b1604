// The public types of @x/create, written by `npm run api`.

// ======== @x/create

interface CreateContext {
    stdin: Readable & {
        isTTY?: boolean | undefined;
    };
    stdout: Writable & {
        isTTY?: boolean | undefined;
    };
    stderr: Writable;
    env: Readonly<Record<string, string | undefined>>;
    cwd: string;
}

declare function createProject(argv: readonly string[], context: CreateContext): Promise<number>;
