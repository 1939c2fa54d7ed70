// How a command accesses a key. Immutable.
namespace Garnet.Modules;

/// <summary>What access control and COMMAND INFO are told of a key.</summary>
public enum KeyAccess
{
    /// <summary>As the command's flags say: it reads the key, or it reads and writes it.</summary>
    Default = 0,

    /// <summary>Its value is read.</summary>
    Read = 1,

    /// <summary>Its value is read and changed.</summary>
    ReadWrite = 2,

    /// <summary>Its value is replaced without being read.</summary>
    Overwrite = 3,

    /// <summary>Something is added to its value, of which nothing is read.</summary>
    Insert = 4,

    /// <summary>The key is removed.</summary>
    Remove = 5,
}
