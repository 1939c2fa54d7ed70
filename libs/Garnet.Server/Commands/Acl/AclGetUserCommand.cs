// ACL GETUSER username
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Describes a user.</summary>
internal sealed class AclGetUserCommand(Users users)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETUSER",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        IsSecret = static (ref CommandContext _, int argument) => argument == 2,
        MakeHandler = static parts => new AclGetUserCommand(parts.Get<Users>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (users.Find(context[2]) is not { Rules: var rules })
        {
            context.Reply.WriteNull();
            return;
        }

        // Clients of Valkey 9.1 do not know the last field, which those of 9.2 expect of users that have roles.
        context.Reply.WriteMap(rules.Roles.Count > 0 ? 8 : 7);
        context.Reply.WriteBulk("flags"u8);
        context.Reply.WriteSet(rules.AcceptsAnyPassword ? 2 : 1);
        context.Reply.WriteBulk(rules.IsOn ? "on"u8 : "off"u8);
        if (rules.AcceptsAnyPassword)
            context.Reply.WriteBulk("nopass"u8);
        context.Reply.WriteBulk("passwords"u8);
        context.Reply.WriteArray(rules.Passwords.Count);
        foreach (PasswordDigest password in rules.Passwords)
            context.Reply.WriteBulk(password.ToString());
        WriteSelector(ref context, rules.Root);
        context.Reply.WriteBulk("selectors"u8);
        context.Reply.WriteArray(rules.Selectors.Count - 1);
        foreach (Selector selector in rules.Selectors.Skip(1))
        {
            context.Reply.WriteMap(4);
            WriteSelector(ref context, selector);
        }

        if (rules.Roles.Count == 0)
            return;
        context.Reply.WriteBulk("roles"u8);
        context.Reply.WriteArray(rules.Roles.Count);
        foreach (string role in rules.Roles)
            context.Reply.WriteBulk(role);
    }

    /// <summary>The four fields of a selector.</summary>
    internal static void WriteSelector(ref CommandContext context, Selector selector)
    {
        context.Reply.WriteBulk("commands"u8);
        ArgumentText.WriteBulk(ref context, selector.Commands.ToString());
        context.Reply.WriteBulk("keys"u8);
        ArgumentText.WriteBulk(ref context, selector.KeysText);
        context.Reply.WriteBulk("channels"u8);
        ArgumentText.WriteBulk(ref context, selector.ChannelsText);
        context.Reply.WriteBulk("databases"u8);
        context.Reply.WriteBulk(selector.DatabasesText);
    }
}
