// ACL GENPASS [bits]
using System.Security.Cryptography;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Acl;

/// <summary>Generates a password of random hexadecimal digits, 256 bits by default.</summary>
internal static class AclGenPassCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GENPASS",
        Arity = -2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Handler = Execute,
    };

    private const int MaxBits = 4096;

    private static void Execute(ref CommandContext context)
    {
        long bits = 256;
        if (context.Count > 3)
        {
            ArgumentText.WriteError(
                ref context,
                $"ERR unknown subcommand or wrong number of arguments for '{ArgumentText.Printable(context[1])}'. Try ACL HELP."
            );
            return;
        }

        if (context.Count == 3 && !context.TryGetInteger(2, out bits))
            return;
        if (bits is <= 0 or > MaxBits)
        {
            context.Reply.WriteError(
                "ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to 4096"u8
            );
            return;
        }

        context.Reply.WriteBulk(RandomNumberGenerator.GetHexString((int)(bits + 3) / 4, lowercase: true));
    }
}
