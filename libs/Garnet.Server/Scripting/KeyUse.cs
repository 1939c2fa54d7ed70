// Which keys a script touches.
namespace Garnet.Server.Scripting;

/// <summary>What reading a script's code has shown.</summary>
internal enum KeyUse : byte
{
    /// <summary>The code has not been read yet.</summary>
    Unread,

    /// <summary>It touches only keys that its caller declares, and ends soon whatever its arguments are.</summary>
    Declared,

    /// <summary>Neither is certain.</summary>
    Uncertain,
}
