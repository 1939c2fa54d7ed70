// Kinds of values that matter to which keys a script touches, and to how long it runs.
namespace Garnet.Server.Scripting;

/// <summary>What a value is.</summary>
internal enum ScriptFactKind : byte
{
    /// <summary>Any value but the table of the declared keys.</summary>
    Unknown,

    Nil,

    /// <summary>A constant, with its text if it is a string.</summary>
    Constant,

    /// <summary>A declared key, or nil.</summary>
    Key,

    /// <summary>The table of the declared keys.</summary>
    Keys,

    /// <summary>The table of the declared keys, or anything else.</summary>
    MaybeKeys,

    /// <summary>The table server, also called redis.</summary>
    Server,

    /// <summary>The table of a library.</summary>
    Library,

    /// <summary>server.call or server.pcall.</summary>
    CommandCall,

    /// <summary>The function unpack.</summary>
    Unpack,

    /// <summary>One of <see cref="BriefFunctions"/>, with its name.</summary>
    BriefFunction,
}
