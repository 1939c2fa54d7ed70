// The names of types as strings of scripts. Immutable; any thread.
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

internal static class TypeNames
{
    private static readonly LuaString[] Names =
    [
        LibraryNames.Get("nil"),
        LibraryNames.Get("boolean"),
        LibraryNames.Get("userdata"),
        LibraryNames.Get("number"),
        LibraryNames.Get("string"),
        LibraryNames.Get("table"),
        LibraryNames.Get("function"),
        LibraryNames.Get("thread"),
    ];

    public static LuaString Of(in LuaValue value) => Names[(int)value.Type];
}
