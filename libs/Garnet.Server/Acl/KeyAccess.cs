// What a key pattern allows. Immutable.
namespace Garnet.Server.Acl;

/// <summary>Kinds of access to a key.</summary>
[Flags]
internal enum KeyAccess
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>The value may be returned or copied.</summary>
    Read = 1 << 0,

    /// <summary>The key may be created, changed or deleted.</summary>
    Write = 1 << 1,

    /// <summary>Both.</summary>
    All = Read | Write,
}
