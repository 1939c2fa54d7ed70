// Names of the library's types. Constants.
namespace Garnet.Modules.Generator;

/// <summary>The types that signatures consist of.</summary>
internal static class KnownNames
{
    public const string Namespace = "Garnet.Modules.";
    public const string ModuleAttribute = Namespace + "ModuleAttribute";
    public const string CommandAttribute = Namespace + "CommandAttribute";
    public const string KeyAttribute = Namespace + "KeyAttribute";
    public const string OptionAttribute = Namespace + "OptionAttribute";
    public const string Module = Namespace + "IModule";
    public const string Context = Namespace + "ModuleContext";
    public const string ArgumentList = Namespace + "ArgumentList";
    public const string Bytes = "System.ReadOnlySpan<byte>";

    /// <summary>Keys that are opened, and latched if they are several.</summary>
    public static readonly string[] LatchedKeys =
    [
        Namespace + "StringKey",
        Namespace + "HashKey",
        Namespace + "ListKey",
        Namespace + "SetKey",
        Namespace + "SortedSetKey",
        Namespace + "StreamKey",
    ];

    /// <summary>The beginning of a key with a module's own type.</summary>
    public const string CustomKey = Namespace + "CustomKey<";

    /// <summary>Keys that are read without a latch.</summary>
    public static readonly string[] ReadOnlyKeys = [Namespace + "ReadOnlyString", Namespace + "ReadOnlyHash"];
}
