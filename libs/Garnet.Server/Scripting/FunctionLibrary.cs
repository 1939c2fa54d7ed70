// A library that was loaded. Immutable; any thread.
namespace Garnet.Server.Scripting;

/// <summary>A library's source and the functions that it registered, in this order.</summary>
internal sealed class FunctionLibrary(string name, byte[] source, long codeBytes, IReadOnlyList<LibraryFunction> functions)
{
    private const int OverheadBytes = 160;

    public string Name => name;

    /// <summary>What was loaded, with its first line.</summary>
    public byte[] Source => source;

    public IReadOnlyList<LibraryFunction> Functions => functions;

    /// <summary>Memory of the compiled code.</summary>
    public long CodeBytes => codeBytes;

    /// <summary>Memory of the source and the entries, without the code and what the library keeps in variables.</summary>
    public long Bytes { get; } = OverheadBytes + source.Length + (2L * name.Length) + functions.Sum(static function => function.Bytes);
}
