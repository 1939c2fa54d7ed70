// The first line of scripts that declare their engine and flags. Stateless; any thread.
using System.Text;

namespace Garnet.Server.Scripting;

/// <summary><c>#!lua flags=no-writes,allow-oom</c></summary>
internal static class ScriptShebang
{
    /// <summary>The flags that can be declared.</summary>
    public static readonly IReadOnlyList<(ScriptFlags Flag, string Name)> Flags =
    [
        (ScriptFlags.NoWrites, "no-writes"),
        (ScriptFlags.AllowOom, "allow-oom"),
        (ScriptFlags.AllowStale, "allow-stale"),
        (ScriptFlags.NoCluster, "no-cluster"),
        (ScriptFlags.AllowCrossSlotKeys, "allow-cross-slot-keys"),
    ];

    /// <summary>The flag of a name; false if there is none.</summary>
    public static bool TryGetFlag(string name, out ScriptFlags flag)
    {
        flag = Flags.FirstOrDefault(known => known.Name == name).Flag;
        return flag != ScriptFlags.None;
    }

    /// <summary>Reads the first line of a script.</summary>
    /// <param name="source">The script.</param>
    /// <param name="flags">What it declares.</param>
    /// <param name="length">The length of the line, without its end; 0 if there is none.</param>
    /// <returns>The error, or null.</returns>
    public static string? Read(ReadOnlySpan<byte> source, out ScriptFlags flags, out int length)
    {
        flags = ScriptFlags.Undeclared;
        length = 0;
        if (!source.StartsWith("#!"u8))
            return null;
        int end = source.IndexOf((byte)'\n');
        if (end < 0)
            return "ERR Invalid script shebang";
        length = end;
        string[] parts = Encoding.Latin1.GetString(source[..end]).Split([' ', '\t', '\r'], StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length == 0 || parts[0].Length < 2)
            return "ERR Invalid engine in script shebang";
        flags = ScriptFlags.None;
        foreach (string part in parts.Skip(1))
        {
            if (!part.StartsWith("flags=", StringComparison.Ordinal))
                return $"ERR Unknown lua shebang option: {part}";
            // flags= alone declares that there are none.
            string[] names = part.Length == 6 ? [] : part[6..].Split(',');
            foreach (string name in names)
            {
                if (!TryGetFlag(name, out ScriptFlags flag))
                    return $"ERR Unexpected flag in script shebang: {name}";
                flags |= flag;
            }
        }

        string engine = parts[0][2..];
        return string.Equals(engine, "lua", StringComparison.OrdinalIgnoreCase) ? null : $"ERR Could not find scripting engine '{engine}'";
    }
}
