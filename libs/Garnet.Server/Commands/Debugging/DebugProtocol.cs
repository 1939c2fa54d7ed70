// DEBUG PROTOCOL type: a sample of each reply type, for tests of clients. Stateless.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Debugging;

/// <summary>Writes samples with the same values as Valkey's.</summary>
internal static class DebugProtocol
{
    /// <summary>Writes the sample of the type named by argument 2.</summary>
    public static void Write(ref CommandContext context)
    {
        switch (ArgumentText.Printable(context[2]).ToLowerInvariant())
        {
            case "string":
                context.Reply.WriteBulk("Hello World"u8);
                break;
            case "integer":
                context.Reply.WriteInteger(12345);
                break;
            case "double":
                context.Reply.WriteDouble(3.141);
                break;
            case "bignum":
                context.Reply.WriteBigNumber("1234567999999999999999999999999999999"u8);
                break;
            case "null":
                context.Reply.WriteNull();
                break;
            case "verbatim":
                context.Reply.WriteVerbatim("txt"u8, "This is a verbatim\nstring"u8);
                break;
            case "true":
                context.Reply.WriteBool(true);
                break;
            case "false":
                context.Reply.WriteBool(false);
                break;
            default:
                WriteAggregate(ref context);
                break;
        }
    }

    private static void WriteAggregate(ref CommandContext context)
    {
        switch (ArgumentText.Printable(context[2]).ToLowerInvariant())
        {
            case "array":
                context.Reply.WriteArray(3);
                WriteIntegers(ref context);
                break;
            case "set":
                context.Reply.WriteSet(3);
                WriteIntegers(ref context);
                break;
            case "map":
                context.Reply.WriteMap(3);
                for (int i = 0; i < 3; i++)
                {
                    context.Reply.WriteInteger(i);
                    context.Reply.WriteBool(i == 1);
                }

                break;
            case "attrib":
                WriteAttribute(ref context);
                break;
            case "push" when context.Reply.ProtocolVersion < 3:
                context.Reply.WriteError("ERR RESP2 is not supported by this command"u8);
                break;
            case "push":
                context.Reply.WritePush(2);
                context.Reply.WriteBulk("server-cpu-usage"u8);
                context.Reply.WriteInteger(42);
                // A push is not a reply; a reply must follow it.
                context.Reply.WriteBulk("Some real reply following the push reply"u8);
                break;
            default:
                context.Reply.WriteError(
                    "ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false"u8
                );
                break;
        }
    }

    private static void WriteAttribute(ref CommandContext context)
    {
        if (context.Reply.ProtocolVersion >= 3)
        {
            context.Reply.WriteAttribute(1);
            context.Reply.WriteBulk("key-popularity"u8);
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk("key:123"u8);
            context.Reply.WriteInteger(90);
        }

        context.Reply.WriteBulk("Some real reply following the attribute"u8);
    }

    private static void WriteIntegers(ref CommandContext context)
    {
        for (int i = 0; i < 3; i++)
            context.Reply.WriteInteger(i);
    }
}
