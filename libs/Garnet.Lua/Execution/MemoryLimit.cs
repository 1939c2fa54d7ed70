// What the live values of a state may take. Immutable.
using System.Globalization;

namespace Garnet.Lua.Execution;

/// <summary>A limit in bytes.</summary>
/// <param name="Name">How the error calls it, for whoever can change it; null if no one can.</param>
/// <param name="Bytes">The limit.</param>
internal readonly record struct MemoryLimit(string? Name, long Bytes)
{
    /// <summary>The error of a script that exceeds it; begins as in Lua.</summary>
    public string Error =>
        Name is null ? "not enough memory" : string.Create(CultureInfo.InvariantCulture, $"not enough memory: {Name} is {Bytes} bytes");
}
