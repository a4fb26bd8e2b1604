// The public types of @x/migrate, written by `npm run api`.

// ======== @x/migrate

declare class MigrateError extends ToolkitError {
    constructor(reason: string, options?: ToolkitErrorOptions);
}

interface MigrateOutput {
    print(line: string): void;
    report(line: string): void;
}

declare function run(args: readonly string[], output: MigrateOutput): Promise<number>;
