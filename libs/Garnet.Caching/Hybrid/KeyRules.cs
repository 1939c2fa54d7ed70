// Which keys and tags can be used. Stateless; any thread.
namespace Garnet.Caching.Hybrid;

/// <summary>As Microsoft's implementation has it: values under bad keys are not cached, bad tags are an error.</summary>
internal static class KeyRules
{
    /// <summary>The tag that every entry has.</summary>
    public const string All = "*";

    // The length of a tag is stored in two bytes, and so is their number.
    private const int MaxTagLength = 4096;
    private const int MaxTags = 4096;

    /// <summary>The tags of an entry that has none of its own.</summary>
    public static readonly string[] AllAlone = [All];

    /// <summary>Whether values can be cached under a key.</summary>
    public static bool IsUsable(string key, int maxLength) => key.Length <= maxLength && !string.IsNullOrWhiteSpace(key) && IsUnicode(key);

    /// <summary>The tags of an entry, each once, with <see cref="All"/>.</summary>
    /// <exception cref="ArgumentException">One is empty, reserved or not valid.</exception>
    public static string[] TagsOf(IEnumerable<string>? tags)
    {
        if (tags is null)
            return AllAlone;
        SortedSet<string> all = new(StringComparer.Ordinal) { All };
        foreach (string tag in tags)
        {
            if (tag == All)
                throw new ArgumentException($"The tag '{All}' stands for all entries and cannot be given to one.", nameof(tags));
            Check(tag);
            all.Add(tag);
        }

        return all.Count > MaxTags
            ? throw new ArgumentException($"An entry cannot have more than {MaxTags} tags.", nameof(tags))
            : [.. all];
    }

    /// <summary>Checks a tag that is to be removed.</summary>
    /// <exception cref="ArgumentException">It is empty or not valid.</exception>
    public static void Check(string tag)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(tag);
        if (tag.Length > MaxTagLength || !IsUnicode(tag))
            throw new ArgumentException($"A tag is valid Unicode of at most {MaxTagLength} characters.", nameof(tag));
    }

    // A surrogate without its other half has no UTF-8, and two such keys would be one in the server.
    private static bool IsUnicode(string text)
    {
        for (int i = text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF'); i >= 0 && i < text.Length; i++)
        {
            if (!char.IsSurrogate(text[i]))
                continue;
            if (i + 1 == text.Length || !char.IsSurrogatePair(text[i], text[i + 1]))
                return false;
            i++;
        }

        return true;
    }
}
