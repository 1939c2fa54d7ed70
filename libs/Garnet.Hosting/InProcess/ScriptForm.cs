// A script with positions in place of names. Immutable; any thread.
namespace Garnet.Hosting.InProcess;

/// <summary>What the server compiles, and the hash by which it knows it.</summary>
internal sealed class ScriptForm(byte[] text, byte[] hash)
{
    /// <summary>The mark of a parameter that is a key.</summary>
    public const char Key = 'k';

    /// <summary>The mark of any other parameter.</summary>
    public const char Argument = 'a';

    public ReadOnlyMemory<byte> Text => text;

    /// <summary>Forty hexadecimal digits.</summary>
    public ReadOnlyMemory<byte> Hash => hash;
}
