// The fields of a map in a reply. Immutable; any thread.
using Garnet.Client;

namespace Garnet.Cli.Interactive;

/// <summary>Reads a map of RESP3, or the flat array that RESP2 has for it.</summary>
/// <param name="map">The reply.</param>
internal readonly struct DocFields(RespValue map)
{
    /// <summary>A field, or null.</summary>
    public RespValue? Value(string name)
    {
        for (int i = 0; i + 1 < map.Children.Count; i += 2)
        {
            if (map.Children[i].TryGetString(out string? key) && key == name)
                return map.Children[i + 1];
        }

        return null;
    }

    /// <summary>A field's text, or null.</summary>
    public string? Text(string name) => Value(name) is { } value && value.TryGetString(out string? text) ? text : null;

    /// <summary>Whether the field <c>flags</c> has one.</summary>
    public bool HasFlag(string flag)
    {
        foreach (RespValue each in Value("flags")?.Children ?? [])
        {
            if (each.TryGetString(out string? text) && text == flag)
                return true;
        }

        return false;
    }
}
