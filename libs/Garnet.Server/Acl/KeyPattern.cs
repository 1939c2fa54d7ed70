// A pattern of keys that a user may access. Immutable; any thread.
using System.Text;
using Garnet.Engine.Requests;

namespace Garnet.Server.Acl;

/// <summary>A glob pattern of keys or channels, and the access to them that it allows.</summary>
internal sealed class KeyPattern
{
    // A literal followed by one star, as most patterns are, is compared without the matcher.
    private readonly int _literalPrefix;

    /// <param name="text">The pattern, one character per byte.</param>
    /// <param name="access">What it allows; channels have one kind of access only.</param>
    public KeyPattern(string text, KeyAccess access = KeyAccess.All)
    {
        Text = text;
        Access = access;
        Bytes = Encoding.Latin1.GetBytes(text);
        int special = Bytes.AsSpan().IndexOfAny("*?[\\"u8);
        _literalPrefix = special == Bytes.Length - 1 && special >= 0 && Bytes[special] == '*' ? special : -1;
    }

    /// <summary>The pattern, one character per byte.</summary>
    public string Text { get; }

    /// <summary>The pattern's bytes.</summary>
    public byte[] Bytes { get; }

    /// <summary>What it allows.</summary>
    public KeyAccess Access { get; }

    /// <summary>Whether the pattern matches a key or channel.</summary>
    public bool Matches(ReadOnlySpan<byte> key) =>
        // A single star does not match an empty key, as elsewhere.
        _literalPrefix >= 0
        && key.Length > 0
            ? key.StartsWith(Bytes.AsSpan(0, _literalPrefix))
            : GlobPattern.IsMatch(Bytes, key);

    /// <summary>The rule that adds it: <c>~pattern</c>, <c>%R~pattern</c> or <c>%W~pattern</c>.</summary>
    public override string ToString() =>
        Access switch
        {
            KeyAccess.Read => "%R~" + Text,
            KeyAccess.Write => "%W~" + Text,
            _ => "~" + Text,
        };
}
