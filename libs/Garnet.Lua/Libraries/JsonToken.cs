// The tokens of JSON. Immutable; any thread.
namespace Garnet.Lua.Libraries;

internal enum JsonToken
{
    Error,
    End,
    ObjectBegin,
    ObjectEnd,
    ArrayBegin,
    ArrayEnd,
    Comma,
    Colon,
    String,
    Number,
    Boolean,
    Null,
}
