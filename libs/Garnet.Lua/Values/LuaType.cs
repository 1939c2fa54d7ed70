// The types of values as scripts name them. Immutable; any thread.
namespace Garnet.Lua.Values;

internal enum LuaType
{
    Nil,
    Boolean,
    Userdata,
    Number,
    String,
    Table,
    Function,
    Thread,
}
