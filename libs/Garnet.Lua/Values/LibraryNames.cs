// Names that scripts use often, as shared strings. Immutable; any thread.
using System.Collections.Frozen;

namespace Garnet.Lua.Values;

/// <summary>
/// The names of the libraries' functions, as one object each: compiled code and library tables use the same, so that a look-up compares
/// references only.
/// </summary>
internal static class LibraryNames
{
    private static readonly FrozenDictionary<string, LuaString> Names = (
        "KEYS ARGV redis server call pcall error_reply status_reply sha1hex log setresp ok err string table math bit struct cjson cmsgpack os "
        + "byte char find format gmatch gsub len lower match rep reverse sub upper concat insert remove sort getn maxn foreach foreachi "
        + "unpack pack encode decode abs ceil floor max min mod fmod sqrt pow random randomseed exp log10 huge pi modf "
        + "type tostring tonumber pairs ipairs next select error assert xpcall setmetatable getmetatable rawget rawset rawequal loadstring "
        + "coroutine create resume yield wrap status running time clock n map set double big_number verbatim_string null"
    )
        .Split(' ')
        .ToFrozenDictionary(static name => name, Create, StringComparer.Ordinal);

    /// <summary>The shared string with the given content, if there is one.</summary>
    public static LuaString? Find(string name) => Names.GetValueOrDefault(name);

    /// <summary>The shared string with the given content, otherwise a new one.</summary>
    public static LuaString Get(string name) => Find(name) ?? Create(name);

    private static LuaString Create(string name)
    {
        var text = new LuaString(name);
        _ = text.Hash;
        return text;
    }
}
