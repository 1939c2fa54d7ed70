// Compiles source code. Stateless; any thread.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Compilation;

/// <summary>Source to immutable code that any state can run.</summary>
internal static class LuaCompiler
{
    /// <param name="source">The source, which is copied.</param>
    /// <param name="name">The name of the chunk, as in <c>@user_script</c>.</param>
    /// <param name="calls">Receives all calls of functions in the source, if they are of interest.</param>
    /// <param name="meter">Counts what compiling takes; null if nothing limits it.</param>
    /// <exception cref="LuaSyntaxException">The source is wrong, or takes more memory than it may.</exception>
    public static Prototype Compile(
        ReadOnlySpan<byte> source,
        string name,
        List<Expression.Call>? calls = null,
        CompilationMeter? meter = null
    ) => Compile(new Lexer(source, ChunkName.DisplayInSyntaxErrors(name), meter), name, calls, meter);

    /// <summary>Compiles source that the host keeps, so that strings of the code need no memory of their own.</summary>
    /// <param name="source">The source, which no one changes any more.</param>
    /// <param name="start">Where the code begins.</param>
    /// <param name="name">The name of the chunk.</param>
    /// <param name="meter">Counts what compiling takes; null if nothing limits it.</param>
    /// <exception cref="LuaSyntaxException">The source is wrong, or takes more memory than it may.</exception>
    public static Prototype CompileKept(byte[] source, int start, string name, CompilationMeter? meter = null) =>
        Compile(new Lexer(source, start, ChunkName.DisplayInSyntaxErrors(name), meter), name, calls: null, meter);

    private static Prototype Compile(Lexer lexer, string name, List<Expression.Call>? calls, CompilationMeter? meter)
    {
        FunctionBody body = new Parser(lexer, calls).ParseChunk();
        Prototype code = new CodeGenerator(new Stack<CodeBuilder>(), ChunkName.Display(name), meter).Generate(body);
        meter?.Finish(code);
        return code;
    }
}
