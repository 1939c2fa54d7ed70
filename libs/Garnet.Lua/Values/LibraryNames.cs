// Names that scripts use often, as shared strings. Immutable; any thread.
using System.Collections.Frozen;

namespace Garnet.Lua.Values;

/// <summary>
/// The names of the libraries' functions, as one object each: compiled code and library tables use the same, so that a look-up compares
/// references only.
/// </summary>
internal static class LibraryNames
{
    private const uint SlotCount = 512;

    private static readonly FrozenDictionary<string, LuaString> Names = (
        "KEYS ARGV redis server call pcall error_reply status_reply sha1hex log setresp ok err string table math bit struct cjson cmsgpack os "
        + "byte char find format gmatch gsub len lower match rep reverse sub upper concat insert remove sort getn maxn foreach foreachi "
        + "unpack pack encode decode abs ceil floor max min mod fmod sqrt pow random randomseed exp log10 huge pi modf "
        + "type tostring tonumber pairs ipairs next select error assert xpcall setmetatable getmetatable rawget rawset rawequal loadstring "
        + "coroutine create resume yield wrap status running time clock n map set double big_number verbatim_string null"
    )
        .Split(' ')
        .ToFrozenDictionary(static name => name, Create, StringComparer.Ordinal);

    private static readonly LuaString?[] Slots = CreateSlots();

    /// <summary>The shared string with the given content and hash, if there is one.</summary>
    public static LuaString? Find(ReadOnlySpan<byte> name, uint hash)
    {
        for (uint slot = hash % SlotCount; Slots[slot] is { } known; slot = (slot + 1) % SlotCount)
        {
            if (known.Hash == hash && known.Span.SequenceEqual(name))
                return known;
        }

        return null;
    }

    /// <summary>The shared string with the given content, otherwise a new one.</summary>
    public static LuaString Get(string name) => Names.GetValueOrDefault(name) ?? Create(name);

    private static LuaString?[] CreateSlots()
    {
        var slots = new LuaString?[SlotCount];
        foreach (LuaString name in Names.Values)
        {
            uint slot = name.Hash % SlotCount;
            while (slots[slot] is not null)
                slot = (slot + 1) % SlotCount;
            slots[slot] = name;
        }

        return slots;
    }

    private static LuaString Create(string name)
    {
        var text = new LuaString(name) { IsShared = true };
        _ = text.Hash;
        return text;
    }
}
