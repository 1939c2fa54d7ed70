// A module for the server, made of what the generator wrote. Used by one thread at a time.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Modules;

namespace Garnet.Modules.Running;

/// <summary>Creates the module and describes its commands to the server.</summary>
internal sealed class AttributedModule(ModuleEntryAttribute entry) : ModuleDefinition
{
    private ModuleEntryAttribute? _entry = entry;
    private IModule? _module;

    /// <inheritdoc/>
    public override string Name { get; } = entry.Name;

    /// <inheritdoc/>
    public override int Version { get; } = entry.Version;

    /// <inheritdoc/>
    public override void Load(ModuleSetup setup)
    {
        ModuleEntryAttribute entry = _entry ?? throw new InvalidOperationException("The module was unloaded.");
        IModule module = entry.Create();
        var host = new ModuleHost(setup);
        module.Load(host);
        _module = module;
        foreach (CommandDefinition command in entry.CommandsOf(module))
        {
            var binding = new CommandBinding(setup.Module, command, host.Log);
            setup.Module.Bindings.Add(binding);
            setup.Commands.Add(DescriptorOf(command, binding, Name));
        }
    }

    /// <inheritdoc/>
    public override void Unload()
    {
        IModule? module = _module;
        _module = null;
        module?.Unload();
    }

    /// <inheritdoc/>
    public override void Forget() => (_module, _entry) = (null, null);

    private static CommandDescriptor DescriptorOf(CommandDefinition command, CommandBinding binding, string module) =>
        new()
        {
            Name = command.Name,
            Arity = command.Arity,
            Flags = FlagsOf(command),
            Traits = command.Calls == CommandCalls.None ? CommandTraits.None : CommandTraits.RunsScript,
            Group = CommandGroup.Module,
            Categories = CategoriesOf(command),
            Since = command.Since,
            Keys = [.. command.Keys.Select(key => KeySpecOf(key, command.Flags))],
            Module = module,
            Syntax = SyntaxOf(command),
            Handler = binding.Handler,
        };

    private static AclCategories CategoriesOf(CommandDefinition command)
    {
        AclCategories categories = AclCategories.None;
        foreach (string name in command.Categories?.Split(',', StringSplitOptions.TrimEntries) ?? [])
        {
            categories |= AclCategoryName.TryParse(name, out AclCategories category)
                ? category
                : throw new ModuleLoadException($"the command '{command.Name}' has the category '{name}', which does not exist");
        }

        return categories;
    }

    // A command on any key runs alone, also within a transaction.
    private static Engine.Requests.CommandFlags FlagsOf(CommandDefinition command) =>
        (Engine.Requests.CommandFlags)command.Flags
        | Engine.Requests.CommandFlags.Module
        | (command.Calls == CommandCalls.OnAnyKey ? Engine.Requests.CommandFlags.WholeKeyspace : 0);

    private static CommandSyntax SyntaxOf(CommandDefinition command) =>
        new(
            command.Summary,
            [.. command.Arguments.Select(static each => new CommandArgument(each.Name, each.Kind, each.Keyword, each.IsList))]
        );

    private static KeySpec KeySpecOf(KeyDefinition key, CommandFlags flags) =>
        KeySpec.Range(key.Position, key.IsList ? -1 : 0, 1, FlagsOf(key.Access, (flags & CommandFlags.Write) != 0));

    private static KeySpecFlags FlagsOf(KeyAccess access, bool writes) =>
        access switch
        {
            KeyAccess.Default when writes => KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update,
            KeyAccess.ReadWrite => KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update,
            KeyAccess.Overwrite => KeySpecFlags.OW | KeySpecFlags.Update,
            KeyAccess.Insert => KeySpecFlags.RW | KeySpecFlags.Insert,
            KeyAccess.Remove => KeySpecFlags.RM | KeySpecFlags.Delete,
            _ => KeySpecFlags.RO | KeySpecFlags.Access,
        };
}
